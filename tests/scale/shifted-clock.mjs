/** Loaded into a server by `NODE_OPTIONS`: its clock is `CLOCK_MS` ahead of, or behind, that of the machine. */
const ms = Number(process.env.CLOCK_MS);
const { now } = Date;
Date.now = () => now() + ms;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [target.now()] : values, made === globalThis.Date ? target : made),
});
