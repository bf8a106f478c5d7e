/** Difference between the high-resolution clock and the system clock, in milliseconds. */
let offset = Number.NaN;
let lastSecond = Number.NaN;
let lastText = '';

/** Returns the current time as RFC 3339 in UTC with microseconds. Follows adjustments of the system clock. */
export function microTime(): string {
  const preciseMs = performance.now();
  const systemMs = Date.now();
  // The system clock has a resolution of one millisecond.
  if (!(Math.abs(preciseMs + offset - systemMs) <= 1)) offset = systemMs - preciseMs;
  const micros = Math.floor((preciseMs + offset) * 1000);
  const second = Math.floor(micros / 1e6);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return `${lastText}.${String(micros - second * 1e6).padStart(6, '0')}Z`;
}
