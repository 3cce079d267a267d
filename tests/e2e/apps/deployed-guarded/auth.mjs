// The fields of an `Auth` of LangGraph's SDK. The application has no packages, so it cannot import that class.
export const auth = {
  "~handlerCache": {
    authenticate: () => {
      throw Object.assign(new Error("Who are you?"), { status: 401 });
    },
    callbacks: {},
  },
};
