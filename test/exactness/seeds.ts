/**
 * EXACTNESS_SEED plays one seed, EXACTNESS_SECONDS plays one after the other for so long. Without them always the same few, so
 * that a failure belongs to a change.
 */
export function* seeds(count: number): Generator<number> {
  const { EXACTNESS_SEED: seed, EXACTNESS_SECONDS: seconds } = process.env;
  const first = seed === undefined ? 1 : Number(seed);
  if (seconds === undefined) {
    for (let next = first; next < first + (seed === undefined ? count : 1); next++) yield next;
    return;
  }
  const deadline = performance.now() + Number(seconds) * 1000;
  for (let next = first; performance.now() < deadline; next++) yield next;
}

/** For a test that plays seeds for so long. Undefined: that of every test. */
export const timeLimit =
  process.env.EXACTNESS_SECONDS === undefined ? undefined : (Number(process.env.EXACTNESS_SECONDS) + 120) * 1000;

/** Whether scenarios are as large as for finding faults. By default they are smaller. */
export const isThorough = process.env.EXACTNESS_SEED !== undefined || process.env.EXACTNESS_SECONDS !== undefined;
