import type { TypeTexts } from './type-texts.ts';

/** The texts by package, such as `core/v1`. For each group, the package with the newest version comes first. */
export type PackageTexts = Readonly<Record<string, readonly TypeTexts[]>>;

/** Matches list kinds. Lists have no schemas, and therefore no texts. */
const listPattern = /^(\w+)List$/;
const listFields: ReadonlyMap<string, string> = new Map([
  ['metadata', 'Version of the whole list, and the token of its next part.'],
  ['items', 'The objects of the list.'],
]);
const objectFields: ReadonlyMap<string, string> = new Map([
  ['metadata', 'Name, namespace, labels, annotations and everything else that all objects have.'],
]);

/**
 * Finds the text of a type or field. If an older version of a group has no text, the text of a newer version is used.
 */
export class PackageDescriptions {
  readonly #texts: PackageTexts;
  readonly #sources = new Map<string, readonly TypeTexts[]>();

  constructor(texts: PackageTexts) {
    this.#texts = texts;
  }

  type(typeName: string): string | undefined {
    const own = this.#find(typeName, '');
    if (own !== undefined) return own;
    const listed = listPattern.exec(nameOf(typeName))?.[1];
    return listed && `A list of ${listed} objects.`;
  }

  field(typeName: string, fieldName: string): string | undefined {
    const own = this.#find(typeName, fieldName);
    if (own !== undefined) return own;
    return (listPattern.test(nameOf(typeName)) ? listFields : objectFields).get(fieldName);
  }

  #find(typeName: string, fieldName: string): string | undefined {
    const name = nameOf(typeName);
    for (const texts of this.#sourcesOf(typeName.slice(0, -name.length - 1))) {
      const text = texts[name]?.[fieldName];
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /**
   * Returns the texts of the package, then those of its group. The result is cached, because a document needs it
   * thousands of times.
   */
  #sourcesOf(packageName: string): readonly TypeTexts[] {
    const known = this.#sources.get(packageName);
    if (known !== undefined) return known;
    const group = packageName.slice(0, packageName.indexOf('/') + 1);
    const others = Object.keys(this.#texts).filter((name) => group !== '' && name.startsWith(group));
    const sources = [...new Set([packageName, ...others])].flatMap((name) => this.#texts[name] ?? []);
    if (sources.length > 0) this.#sources.set(packageName, sources);
    return sources;
  }
}

/** `PodSpec` of `core/v1.PodSpec`, `Info` of `version/Info`. */
function nameOf(typeName: string): string {
  return typeName.slice(Math.max(typeName.lastIndexOf('.'), typeName.lastIndexOf('/')) + 1);
}
