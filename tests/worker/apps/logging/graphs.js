import { setTimeout as sleep } from "node:timers/promises";
import { getLogger } from "@langchain/langgraph-sdk/logging";
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const logger = getLogger();
logger.info("the module loads");

const State = Annotation.Root({ order: Annotation() });

export const logs = new StateGraph(State)
  .addNode("log", async ({ order }) => {
    logger.info("order arrived", { order }).warn(new Error("out of stock"));
    await sleep(20);
    logger.error({ message: "no carrier", order });
    void sleep(20).then(() => logger.debug("told %s after the end", order));
    return {};
  })
  .addEdge(START, "log")
  .compile();
