// What an `Auth` of LangGraph's SDK holds: this application is deployed without packages of its own.
export const auth = {
  "~handlerCache": {
    authenticate: () => {
      throw Object.assign(new Error("Who are you?"), { status: 401 });
    },
    callbacks: {},
  },
};
