/**
 * Whether the clock runs fast (`fast-clock.ts`). Certificates that are valid for only a few minutes have then expired
 * by the real clock. Certificates that begin now by the real clock are not yet valid for servers.
 */
export const isClockFast = process.env.TEST_CLOCK_RATE !== undefined;
