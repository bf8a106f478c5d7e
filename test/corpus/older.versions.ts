import { corpus as admissionregistration } from './admissionregistration.ts';
import type { CorpusEntry, CorpusObject } from './corpus-entry.ts';
import { corpus as networking } from './networking.ts';
import { corpus as resource } from './resource.ts';
import { corpus as storage } from './storage.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the entries of some resources in another version. `convert` converts a spec. The errors have the same paths.
 */
function inVersion(
  entries: readonly CorpusEntry[],
  version: string,
  resources: Readonly<Record<string, (spec: Fields, responded: boolean) => Fields>>,
): CorpusEntry[] {
  return entries.flatMap(({ path, valid, invalid }) => {
    const name = path.split('/').at(-1)!;
    if (!Object.hasOwn(resources, name)) return [];
    const convert = resources[name]!;
    const converted = <O extends Fields>(object: O, responded: boolean): O =>
      object.spec === undefined ? object : { ...object, spec: convert(object.spec as Fields, responded) };
    return {
      path: path.replace('/v1/', `/${version}/`),
      valid: valid.map(({ object, expected, ...rest }) => ({
        ...rest,
        object: converted<CorpusObject>(object, false),
        expected: converted(expected, true),
      })),
      invalid: invalid.map(({ object, ...rest }) => ({ ...rest, object: converted<CorpusObject>(object, false) })),
    };
  });
}

const same = (spec: Fields): Fields => spec;

/** Moves the fields of `exactly` into the request. In responses, `deviceClassName` is always set. */
function withFlatRequests(spec: Fields, responded: boolean): Fields {
  const { requests, ...devices } = (spec.devices ?? {}) as { requests?: readonly Fields[] | null };
  if (!requests) return spec;
  const flat = requests.map(({ exactly, ...request }) => ({
    ...(responded && { deviceClassName: '' }),
    ...request,
    ...(exactly as Fields | undefined),
  }));
  return { ...spec, devices: { ...devices, requests: flat } };
}

function withBasicDevices(spec: Fields): Fields {
  if (!spec.devices) return spec;
  const devices = (spec.devices as readonly Fields[]).map(({ name, ...basic }) => ({ name, basic }));
  return { ...spec, devices };
}

const policies = { mutatingadmissionpolicies: same, mutatingadmissionpolicybindings: same };

export const corpus: CorpusEntry[] = [
  ...inVersion(admissionregistration, 'v1beta1', policies),
  ...inVersion(admissionregistration, 'v1alpha1', policies),
  ...inVersion(networking, 'v1beta1', { ipaddresses: same, servicecidrs: same }),
  ...inVersion(storage, 'v1beta1', { volumeattributesclasses: same }),
  ...inVersion(resource, 'v1beta2', {
    deviceclasses: same,
    resourceclaims: same,
    resourceclaimtemplates: same,
    resourceslices: same,
  }),
  ...inVersion(resource, 'v1beta1', {
    deviceclasses: same,
    resourceclaims: withFlatRequests,
    resourceclaimtemplates: ({ spec, ...rest }, responded) => ({
      ...rest,
      ...(spec !== undefined && { spec: withFlatRequests(spec as Fields, responded) }),
    }),
    resourceslices: withBasicDevices,
  }),
];
