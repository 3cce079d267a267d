/** The name under which a schema defines messages, once. */
const MESSAGE_NAME = "BaseMessage";

/** The schema of a message that a client sends or reads. LangGraph coerces messages with a `type` or a `role`. */
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

/** The schema of a list of messages, marked with the type by which clients know it. */
export const MESSAGES = { type: "array", items: MESSAGE, langgraph_type: "messages" };
