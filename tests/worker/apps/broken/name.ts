import { nothing } from "@langchain/langgraph"; export const graph = nothing;
