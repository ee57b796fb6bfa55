/** The method that Node's util.inspect, and so console.log, calls on an object. Other engines ignore it. */
export const inspectCustom: unique symbol = Symbol.for("nodejs.util.inspect.custom") as any;
