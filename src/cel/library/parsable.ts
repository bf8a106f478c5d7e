import { CelError } from '../cel-error.ts';

/** Returns a predicate that is true for texts that `parse` accepts. */
export function isParsable(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (error instanceof CelError && error.code !== 'cost-limit') return false;
      throw error;
    }
  };
}
