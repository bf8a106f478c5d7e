/** A failed property test prints its seed. `PROPERTY_SEED` runs the properties with that seed again. */
const { PROPERTY_SEED: seed } = process.env;
if (seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(seed) });
}
