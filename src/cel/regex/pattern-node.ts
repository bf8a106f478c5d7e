import type { CharacterTest } from './character-set.ts';

/** A regular expression as it was written. */
export type PatternNode =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly holds: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      /** Infinity for no bound. */
      readonly most: number;
      readonly isGreedy: boolean;
    };

/** Looks at the characters on both sides of a position; NaN where the text begins or ends. */
export type Assertion = (before: number, after: number) => boolean;
