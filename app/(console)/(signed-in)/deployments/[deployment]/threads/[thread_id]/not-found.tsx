import { MissingThread } from "../../../../../_threads/missing-thread.tsx";

export default MissingThread;
