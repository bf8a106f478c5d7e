import { UnreadableValueError, type ValueProvider } from '../value-provider.ts';

/** What every encrypted value begins with. */
const encrypted = Buffer.from('k8s:enc:');

/** Values as they are. */
export const identity: ValueProvider = {
  seal: (value) => [value],
  open(sealed) {
    if (sealed.subarray(0, encrypted.length).equals(encrypted)) {
      throw new UnreadableValueError('identity transformer tried to read encrypted data');
    }
    return { value: sealed, stale: false };
  },
};
