import { type LabelRequirement, type Labels, type LabelTest, labelTest, requirementText } from './label-requirement.ts';
import { parseLabelRequirements } from './label-selector-parser.ts';

interface KeyTest {
  readonly key: string;
  readonly test: LabelTest;
}

/** A conjunction of requirements on labels. An empty one selects every object. */
export class LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Compiled on first use. */
  #tests: readonly KeyTest[] | undefined;

  /** Does not validate the requirements; `parseLabelSelector` validates input from clients. */
  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted(byKey);
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    this.#tests ??= this.requirements.map((requirement) => ({ key: requirement.key, test: labelTest(requirement) }));
    // Inherited properties of the map, such as `constructor`, are not strings and so never match as labels.
    for (const { key, test } of this.#tests) if (!test(labels?.[key])) return false;
    return true;
  }

  /** Sorts requirements and values, so that equal selectors have the same text. */
  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

/** Compares by key only: a stable sort keeps the order of requirements on the same key. */
function byKey(left: LabelRequirement, right: LabelRequirement): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

const everything = new LabelSelector([]);

/**
 * Parses the query parameter `labelSelector`: comma-separated requirements `k`, `!k`, `k=v`, `k==v`, `k!=v`, `k in
 * (a,b)`, `k notin (a,b)`, `k>1`, `k<1`.
 *
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? everything : new LabelSelector(parseLabelRequirements(text));
}
