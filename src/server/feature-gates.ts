/**
 * The gates of kube-apiserver that say something about this server, with their state. None can be switched yet: asking for the
 * present state is accepted, asking for the other one is refused rather than ignored.
 */
const gates: Readonly<Record<string, boolean>> = {
  APIResponseCompression: false,
  AllowUnsafeMalformedObjectDeletion: false,
  CBORServingAndStorage: false,
  ConsistentListFromCache: true,
  ListFromCacheSnapshot: false,
  OpenAPIEnums: true,
  StorageVersionHash: true,
  StreamingCollectionEncodingToJSON: true,
  WatchList: true,
};

/** Reads `A=true,B=false`. Throws a RangeError that says what is wrong. */
export function checkFeatureGates(text: string): void {
  for (const part of text.split(',').filter((item) => item.trim() !== '')) {
    const [name = '', ...rest] = part.trim().split('=');
    const value = rest.join('=');
    if (!Object.hasOwn(gates, name)) throw new RangeError(`unrecognized feature gate: ${name}`);
    if (value !== 'true' && value !== 'false')
      throw new RangeError(`invalid value of ${name}: ${value}, use true or false`);
    if (String(gates[name]) !== value) {
      throw new RangeError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gates[name]}`);
    }
  }
}
