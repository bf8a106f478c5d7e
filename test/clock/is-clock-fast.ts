/**
 * Certificates that are good for minutes only have expired for those who look at the real clock (`fast-clock.ts`). Those
 * that begin now by the real clock are not good yet for servers.
 */
export const isClockFast = process.env.TEST_CLOCK_RATE !== undefined;
