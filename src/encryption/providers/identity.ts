import { UnreadableValueError, type ValueProvider } from '../value-provider.ts';

/** The prefix of every encrypted value. */
const encrypted = Buffer.from('k8s:enc:');

/** No encryption. */
export const identity: ValueProvider = {
  seal: (value) => [value],
  open(sealed) {
    if (sealed.subarray(0, encrypted.length).equals(encrypted)) {
      throw new UnreadableValueError('identity transformer tried to read encrypted data');
    }
    return { value: sealed, stale: false };
  },
};
