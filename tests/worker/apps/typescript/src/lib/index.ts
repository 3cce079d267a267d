export { folder } from "./folder";
