// Loaded before a service (`node --import`), it shifts the clock of that process by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values) =>
    values.length === 0 ? new target(RealDate.now() + shiftMs) : (Reflect.construct(target, values) as Date),
  apply: (target) => new target(RealDate.now() + shiftMs).toString(),
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, target),
}) as DateConstructor
