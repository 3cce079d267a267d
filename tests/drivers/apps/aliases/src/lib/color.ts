export enum Color {
  Even = "green",
}
