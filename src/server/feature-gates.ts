/** The gates of kube-apiserver that say something about this server, in their default state. */
const defaults = {
  APIResponseCompression: true,
  AllowUnsafeMalformedObjectDeletion: false,
  CBORServingAndStorage: false,
  ConsistentListFromCache: true,
  ListFromCacheSnapshot: true,
  OpenAPIEnums: true,
  StorageVersionHash: true,
  StreamingCollectionEncodingToJSON: true,
  WatchList: true,
};

/** What is on and what is off. */
export type FeatureGates = Readonly<Record<keyof typeof defaults, boolean>>;

/** For the others there is one way only: asking for it is accepted, asking for the other one is refused rather than ignored. */
const switchable: ReadonlySet<keyof FeatureGates> = new Set([
  'APIResponseCompression',
  'AllowUnsafeMalformedObjectDeletion',
  'CBORServingAndStorage',
]);

/** Reads `A=true,B=false`; what is not named has its default. Throws a RangeError that says what is wrong. */
export function parseFeatureGates(text: string): FeatureGates {
  const gates = { ...defaults };
  for (const part of text.split(',').filter((item) => item.trim() !== '')) {
    const [name = '', ...rest] = part.trim().split('=');
    const value = rest.join('=');
    if (!isGate(name)) throw new RangeError(`unrecognized feature gate: ${name}`);
    if (value !== 'true' && value !== 'false')
      throw new RangeError(`invalid value of ${name}: ${value}, use true or false`);
    if (String(defaults[name]) !== value && !switchable.has(name)) {
      throw new RangeError(`cannot set feature gate ${name} to ${value}, feature is locked to ${defaults[name]}`);
    }
    gates[name] = value === 'true';
  }
  return gates;
}

function isGate(name: string): name is keyof FeatureGates {
  return Object.hasOwn(defaults, name);
}
