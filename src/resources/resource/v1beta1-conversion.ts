import type { ResourceObject } from '../../meta/object.ts';
import type { StorageLayout } from '../../registry/resource-definition.ts';

type Conversion = NonNullable<StorageLayout['conversion']>;
type Fields = Readonly<Record<string, unknown>>;

const stored = 'resource.k8s.io/v1';
const served = 'resource.k8s.io/v1beta1';

/** Converts the list elements at a path. Objects without the list are only relabelled. */
function conversionOf(path: readonly string[], element: { readonly toStored: Convert; readonly fromStored: Convert }) {
  const through = (apiVersion: string, convert: Convert) => {
    return ({ kind, apiVersion: _other, ...rest }: ResourceObject): ResourceObject => ({
      kind,
      apiVersion,
      ...(convertAt(rest, path, convert) as ResourceObject),
    });
  };
  const conversion: Conversion = {
    toStored: through(stored, element.toStored),
    fromStored: through(served, element.fromStored),
  };
  return conversion;
}

type Convert = (fields: Fields) => Fields;

/** Converts each element of the list at the path. Copies only the objects along the path. */
function convertAt(value: unknown, [step, ...steps]: readonly string[], convert: Convert): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined) return (value as readonly Fields[]).map(convert);
  const fields = value as Fields;
  return fields[step] === undefined ? fields : { ...fields, [step]: convertAt(fields[step], steps, convert) };
}

/** The fields of an exact request, in the field order of `exactly`. */
const exactFields = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
] as const;

const requestConversion = {
  toStored({ name, firstAvailable, ...exact }: Fields): Fields {
    const exactly = definedOf(exact, exactFields);
    const { deviceClassName, ...others } = exactly;
    const isExact = Boolean(deviceClassName) || Object.keys(others).length > 0;
    return {
      name,
      ...(isExact && { exactly: { deviceClassName: '', ...exactly } }),
      ...(firstAvailable !== undefined && { firstAvailable }),
    };
  },
  fromStored({ name, exactly, firstAvailable }: Fields): Fields {
    const { tolerations, capacity, ...exact } = (exactly ?? {}) as Fields;
    return {
      name,
      deviceClassName: '',
      ...exact,
      ...definedOf({ firstAvailable, tolerations, capacity }, ['firstAvailable', 'tolerations', 'capacity']),
    };
  },
};

function definedOf(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

const deviceConversion = {
  toStored: ({ name, basic }: Fields): Fields => ({ name, ...(basic as Fields | undefined) }),
  fromStored: ({ name, ...basic }: Fields): Fields => ({ name, basic }),
};

export const claimConversion = conversionOf(['spec', 'devices', 'requests'], requestConversion);
export const claimTemplateConversion = conversionOf(['spec', 'spec', 'devices', 'requests'], requestConversion);
export const sliceConversion = conversionOf(['spec', 'devices'], deviceConversion);
