/**
 * Yields the seeds to run. EXACTNESS_SEED selects one seed. EXACTNESS_SECONDS runs one seed after the other for this
 * time. Without them, the seeds are always the same few, so that a failure is caused by a change.
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

/** The timeout of tests that run seeds for EXACTNESS_SECONDS. Undefined for the default timeout. */
export const timeLimit =
  process.env.EXACTNESS_SECONDS === undefined ? undefined : (Number(process.env.EXACTNESS_SECONDS) + 120) * 1000;

/** Whether scenarios are large enough to find rare faults. By default they are smaller. */
export const isThorough = process.env.EXACTNESS_SEED !== undefined || process.env.EXACTNESS_SECONDS !== undefined;
