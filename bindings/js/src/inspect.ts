/** What Node's util.inspect, and console.log with it, asks an object for. Other engines ignore it. */
export const inspectCustom: unique symbol = Symbol.for("nodejs.util.inspect.custom") as any;
