import { type LabelRequirement, type Labels, type LabelTest, labelTest, requirementText } from './label-requirement.ts';
import { parseLabelRequirements } from './label-selector-parser.ts';

interface KeyTest {
  readonly key: string;
  readonly test: LabelTest;
}

/** A conjunction of requirements on labels. Without any it selects everything. */
export class LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Made when they are first needed. */
  #tests: readonly KeyTest[] | undefined;

  /** The requirements are taken as valid; `parseLabelSelector` checks what comes from outside. */
  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted(byKey);
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    this.#tests ??= this.requirements.map((requirement) => ({ key: requirement.key, test: labelTest(requirement) }));
    // What a map inherits, such as `constructor`, is no string and so no label.
    for (const { key, test } of this.#tests) if (!test(labels?.[key])) return false;
    return true;
  }

  /** Selectors that mean the same have the same text: requirements and values are sorted. */
  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

/** Sorted by key; requirements on the same key keep the order in which they were given. */
function byKey(left: LabelRequirement, right: LabelRequirement): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

const everything = new LabelSelector([]);

/**
 * Reads the query option `labelSelector`: requirements with commas between them, `k`, `!k`, `k=v`, `k==v`, `k!=v`,
 * `k in (a,b)`, `k notin (a,b)`, `k>1`, `k<1`.
 *
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? everything : new LabelSelector(parseLabelRequirements(text));
}
