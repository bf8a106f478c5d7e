/** The feature gates of kube-apiserver that apply to this server, with their defaults. */
const defaults = {
  APIResponseCompression: true,
  AllowUnsafeMalformedObjectDeletion: false,
  CBORServingAndStorage: false,
  ConsistentListFromCache: true,
  ListFromCacheSnapshot: true,
  OpenAPIEnums: true,
  StorageVersionAPI: false,
  StorageVersionHash: true,
  StreamingCollectionEncodingToJSON: true,
  WatchList: true,
};

/** The state of all feature gates. */
export type FeatureGates = Readonly<Record<keyof typeof defaults, boolean>>;

/** The gates that can be changed. Setting another gate to a value that is not its default is an error. */
const switchable: ReadonlySet<keyof FeatureGates> = new Set([
  'APIResponseCompression',
  'AllowUnsafeMalformedObjectDeletion',
  'CBORServingAndStorage',
  'StorageVersionAPI',
]);

/** Parses `A=true,B=false`. Other gates have their defaults. Throws a RangeError for bad input. */
export function parseFeatureGates(text: string): FeatureGates {
  const gates = { ...defaults };
  for (const entry of text.split(',').filter((item) => item.trim() !== '')) {
    const [name = '', ...rest] = entry.trim().split('=');
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
