/** A property test that fails prints its seed. `PROPERTY_SEED` plays the properties with that one again. */
const { PROPERTY_SEED: seed } = process.env;
if (seed !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(seed) });
}
