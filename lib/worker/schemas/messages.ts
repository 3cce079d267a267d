/** The schema of a message stands once in a schema, under this name. */
const MESSAGE_NAME = "BaseMessage";

/** What a client may send as a message, and reads as one: LangGraph coerces both forms. */
export const MESSAGE_DEFINITIONS = {
  [MESSAGE_NAME]: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["human", "ai", "system", "tool", "function", "remove"] },
      role: { type: "string", enum: ["user", "human", "assistant", "ai", "system", "tool"] },
      content: { anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }] },
      id: { type: "string" },
      name: { type: "string" },
      tool_call_id: { type: "string" },
      tool_calls: { type: "array", items: { type: "object" } },
    },
    required: ["content"],
  },
};

export const MESSAGE = { $ref: `#/$defs/${MESSAGE_NAME}` };

/** A list of messages, under the name by which clients know it. */
export const MESSAGES = { type: "array", items: MESSAGE, langgraph_type: "messages" };
