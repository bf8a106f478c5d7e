import type { ResourceObject } from '../../../meta/object.ts';
import { compareQuantities, formatQuantity, parseQuantity } from '../../../meta/quantity.ts';
import type { Resources } from '../pod-resources.ts';
import { matchesRequirement } from './quota.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const ofClass = '.storageclass.storage.k8s.io/';
const betaAnnotation = 'volume.beta.kubernetes.io/storage-class';
const count = 'persistentvolumeclaims';
const storage = 'requests.storage';

interface Claim extends ResourceObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly resources?: { readonly requests?: Resources };
  };
  readonly status?: {
    readonly allocatedResources?: Resources;
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string };
  };
}

/** Claims are counted by number and by size, in total and for their storage class. */
export const claimEvaluator: QuotaEvaluator = {
  concerns: (name) =>
    name === count ||
    name === storage ||
    name === `count/${count}` ||
    name.endsWith(`${ofClass}${count}`) ||
    name.endsWith(`${ofClass}${storage}`),

  usage(object) {
    const claim = object as Claim;
    const className = claim.metadata.annotations?.[betaAnnotation] ?? claim.spec?.storageClassName ?? '';
    const size = sizeOf(claim);
    return {
      [`count/${count}`]: '1',
      [count]: '1',
      ...(size !== undefined && { [storage]: size }),
      ...(className !== '' && { [`${className}${ofClass}${count}`]: '1' }),
      ...(className !== '' && size !== undefined && { [`${className}${ofClass}${storage}`]: size }),
    };
  },

  isInScope(object, requirement) {
    if (requirement.scopeName !== 'VolumeAttributesClass') return false;
    const { spec, status } = object as Claim;
    const classes = [
      spec?.volumeAttributesClassName,
      status?.currentVolumeAttributesClassName,
      status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ].filter((name) => !!name);
    return classes.length === 0
      ? matchesRequirement(requirement, undefined)
      : classes.some((name) => matchesRequirement(requirement, name));
  },
};

/** In whole bytes. While a volume is resized, the larger size counts. */
function sizeOf({ spec, status }: Claim): string | undefined {
  const requested = spec?.resources?.requests?.storage;
  if (requested === undefined) return undefined;
  const allocated = status?.allocatedResources?.storage;
  if (allocated === undefined) return wholeBytes(requested);
  const isLarger = compareQuantities(parseQuantity(allocated), parseQuantity(requested)) > 0;
  return wholeBytes(isLarger ? allocated : requested);
}

function wholeBytes(text: string): string {
  const { unscaled, exponent, format } = parseQuantity(text);
  if (exponent >= 0) return text;
  const divisor = 10n ** BigInt(-exponent);
  return formatQuantity({ unscaled: (unscaled + divisor - 1n) / divisor, exponent: 0, format });
}
