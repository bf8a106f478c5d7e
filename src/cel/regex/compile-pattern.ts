import { CelError } from '../cel-error.ts';
import { spend } from '../work.ts';
import type { CharacterTest } from './character-set.ts';
import type { Assertion, PatternNode } from './pattern-node.ts';

/** Steps of a search; numbers are positions in the program. */
export type Instruction =
  | { readonly op: 'character'; readonly test: CharacterTest; readonly next: number }
  | { readonly op: 'assertion'; readonly holds: Assertion; readonly next: number }
  | { readonly op: 'either'; readonly first: number; readonly second: number }
  | { readonly op: 'match' };

export interface PatternProgram {
  readonly start: number;
  readonly instructions: readonly Instruction[];
}

const mostInstructions = 10_000;

export function compilePattern(root: PatternNode, pattern: string): PatternProgram {
  const instructions: Instruction[] = [{ op: 'match' }];

  function add(instruction: Instruction): number {
    if (instructions.length >= mostInstructions) {
      throw new CelError(`error parsing regexp: expression too large: \`${pattern}\``);
    }
    spend(2);
    return instructions.push(instruction) - 1;
  }

  /** Emits a node from its end: `next` is where the search goes on after it. */
  function emit(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'character':
        return add({ op: 'character', test: node.test, next });
      case 'assertion':
        return add({ op: 'assertion', holds: node.holds, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => emit(part, after), next);
      case 'choice':
        return node.branches
          .map((branch) => emit(branch, next))
          .reduceRight((second, first) => add({ op: 'either', first, second }));
      case 'repeat':
        return emitRepeat(node, next);
    }
  }

  function emitRepeat(node: PatternNode & { kind: 'repeat' }, next: number): number {
    const { part, least, most, isGreedy } = node;
    let after = next;
    const choose = (inner: number) => ({
      op: 'either' as const,
      first: isGreedy ? inner : next,
      second: isGreedy ? next : inner,
    });
    let mandatory = least;
    if (most === Number.POSITIVE_INFINITY) {
      // The part leads back to the choice, whose place must be known before.
      const loop = add({ op: 'match' });
      const inner = emit(part, loop);
      instructions[loop] = choose(inner);
      // One round or none, so that a part that matches nothing ends the loop as it does in RE2.
      after = least === 0 ? add(choose(inner)) : inner;
      mandatory = Math.max(least - 1, 0);
    } else {
      for (let count = least; count < most; count++) after = add(choose(emit(part, after)));
    }
    for (let count = 0; count < mandatory; count++) after = emit(part, after);
    return after;
  }

  return { start: emit(root, 0), instructions };
}
