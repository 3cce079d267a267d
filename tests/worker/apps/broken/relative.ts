import "./not-there"; export const graph = 1;
