/** Certificates that are good for minutes only have expired for those who look at the real clock (`fast-clock.ts`). */
export const isClockFast = process.env.TEST_CLOCK_RATE !== undefined;
