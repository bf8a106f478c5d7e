/** Between the clock that is fine and the one that is right, in milliseconds. */
let offset = Number.NaN;
let lastSecond = Number.NaN;
let lastText = '';

/** Now, as RFC 3339 in UTC with microseconds. Follows the clock of the system, also when that one is set. */
export function microTime(): string {
  const fine = performance.now();
  const right = Date.now();
  // The right clock stands still for a millisecond at a time.
  if (!(Math.abs(fine + offset - right) <= 1)) offset = right - fine;
  const micros = Math.floor((fine + offset) * 1000);
  const second = Math.floor(micros / 1e6);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return `${lastText}.${String(micros - second * 1e6).padStart(6, '0')}Z`;
}
