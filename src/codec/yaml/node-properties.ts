import { DecodeError } from '../../meta/decode-error.ts';
import { parseProblem } from './parse-problem.ts';
import { events, type YamlEvents } from './yaml-events.ts';
import type { YamlScanner } from './yaml-scanner.ts';
import { tokens } from './yaml-token.ts';

const yamlTag = 'tag:yaml.org,2002:';
/** The non-specific tag. A scalar with this tag is resolved like a plain scalar. */
const unspecific = '!';

/** Resolves the anchors, aliases and tags of a document. Holds the anchor and tag of the current node. */
export class NodeProperties {
  readonly #scanner: YamlScanner;
  readonly #events: YamlEvents;
  readonly #anchors = new Map<string, number>();
  readonly #tagPrefixes = new Map([
    ['', ''],
    ['!', '!'],
    ['!!', yamlTag],
  ]);
  #anchor = '';
  #tag = '';

  constructor(scanner: YamlScanner, documentEvents: YamlEvents) {
    this.#scanner = scanner;
    this.#events = documentEvents;
  }

  /** Reads the directives and the start marker of a document. */
  openDocument(): void {
    const scanner = this.#scanner;
    let hasVersion = false;
    while (scanner.peek() === tokens.directive) {
      const name = scanner.texts.get(scanner.from, 0);
      const value = scanner.texts.get(scanner.to, 0);
      if (name !== '') {
        this.#tagPrefixes.set(name, value);
      } else {
        if (hasVersion) throw this.#problem('found duplicate %YAML directive');
        if (value !== '1.1') throw this.#problem('found incompatible YAML document');
        hasVersion = true;
      }
      scanner.skip();
    }
    if (scanner.peek() !== tokens.documentStart) throw this.#problem('did not find expected <document start>');
    scanner.skip();
  }

  get isPresent(): boolean {
    return this.#anchor !== '' || this.#tag !== '';
  }

  /** Reads at most one anchor and one tag. */
  read(): void {
    const scanner = this.#scanner;
    for (let kind = scanner.peek(); ; kind = scanner.peek()) {
      if (kind === tokens.anchor && this.#anchor === '') {
        this.#anchor = scanner.texts.get(scanner.from, scanner.to);
      } else if (kind === tokens.tag && this.#tag === '') {
        const prefix = this.#tagPrefixes.get(scanner.texts.get(scanner.from, 0));
        if (prefix === undefined) throw this.#problem('found undefined tag handle');
        this.#tag = prefix + scanner.texts.get(scanner.to, 0);
      } else {
        return;
      }
      scanner.skip();
    }
  }

  /** Returns the event kind of a scalar with the current properties. */
  scalarKind({ isPlain }: { readonly isPlain: boolean }): number {
    if (this.#tag === '') return isPlain ? events.plain : events.scalar;
    return this.#tag === unspecific ? events.plain : events.scalar;
  }

  /** Assigns the current properties to the last event and clears them. */
  apply(): void {
    if (this.#anchor !== '') this.#anchors.set(this.#anchor, this.#events.length - 1);
    if (this.#tag !== unspecific) this.#events.setTag(this.#tag);
    this.#anchor = '';
    this.#tag = '';
  }

  /** Adds an alias event. The next token must be an alias. */
  addAlias(): void {
    const { texts, line, from, to } = this.#scanner;
    const name = texts.get(from, to);
    const target = this.#anchors.get(name);
    if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    this.#events.add(events.alias, line);
    this.#events.setText(target, from);
    this.#scanner.skip();
  }

  #problem(text: string): DecodeError {
    return parseProblem(this.#scanner.line, text);
  }
}
