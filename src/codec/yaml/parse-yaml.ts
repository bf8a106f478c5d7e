import { DecodeError } from '../../meta/decode-error.ts';
import { YamlScanner } from './yaml-scanner.ts';
import type { Token, TokenType } from './yaml-token.ts';

/** A step through a document: a value, the begin of a list or a map, or its end. A map is key, value, key, value. */
export interface YamlEvent {
  readonly kind: 'alias' | 'end' | 'mapping' | 'scalar' | 'sequence';
  /** Where it begins, from zero. */
  readonly line: number;
  /** The value of a scalar, the name that an alias refers to. */
  readonly text: string;
  /** In full; empty without a tag. */
  readonly tag: string;
  readonly anchor: string;
  /** A scalar whose type follows from its text. */
  readonly isPlain: boolean;
}

type State =
  | 'blockKey'
  | 'blockSequence'
  | 'blockValue'
  | 'emptyValue'
  | 'firstFlowItem'
  | 'firstFlowKey'
  | 'flowItem'
  | 'flowKey'
  | 'flowValue'
  | 'pairEnd'
  | 'pairValue'
  | 'plainSequence';

/** Where a value is expected. */
interface Place {
  /** Before such a token there is nothing, which is a value, too. */
  readonly isEmpty: readonly TokenType[];
  readonly isBlock: boolean;
  readonly isInMapping?: boolean;
  readonly line: number;
}

const endEvent: YamlEvent = { kind: 'end', line: 0, text: '', tag: '', anchor: '', isPlain: false };
const yamlTag = 'tag:yaml.org,2002:';
const noContent: readonly TokenType[] = ['directive', 'documentStart', 'documentEnd', 'streamEnd'];
const noBlockNode: readonly TokenType[] = ['key', 'value', 'blockEnd'];
const noEntry: readonly TokenType[] = ['blockEntry', 'key', 'value', 'blockEnd'];
const noPairPart: readonly TokenType[] = ['value', 'flowEntry', 'flowSequenceEnd'];
const noFlowPart: readonly TokenType[] = ['value', 'flowEntry', 'flowMappingEnd'];

/** The first document of a text, if there is one. What comes behind it is not looked at. */
export function parseYaml(text: string): readonly YamlEvent[] {
  return new YamlParser(text).parse();
}

/** Keeps its own stack: the depth of the text must not become the depth of calls. */
class YamlParser {
  readonly #scanner: YamlScanner;
  readonly #events: YamlEvent[] = [];
  /** What to go on with, the next at the end. */
  readonly #states: State[] = [];
  readonly #tagPrefixes = new Map([
    ['', ''],
    ['!', '!'],
    ['!!', yamlTag],
  ]);

  constructor(text: string) {
    this.#scanner = new YamlScanner(text);
  }

  parse(): readonly YamlEvent[] {
    const first = this.#scanner.peek();
    if (first.type === 'streamEnd') return this.#events;
    if (first.type === 'directive' || first.type === 'documentStart') this.#openDocument();
    this.#node({ isEmpty: noContent, isBlock: true, line: first.line });
    for (let state = this.#states.pop(); state !== undefined; state = this.#states.pop()) this.#step(state);
    // Something that is no token at all is refused even behind the document.
    this.#scanner.peek();
    return this.#events;
  }

  #openDocument(): void {
    let hasVersion = false;
    let token = this.#scanner.peek();
    for (; token.type === 'directive'; token = this.#scanner.peek()) {
      if (token.text === '') {
        if (hasVersion) throw problem(token, 'found duplicate %YAML directive');
        if (token.suffix !== '1.1') throw problem(token, 'found incompatible YAML document');
        hasVersion = true;
      } else {
        this.#tagPrefixes.set(token.text, token.suffix);
      }
      this.#scanner.skip();
    }
    if (token.type !== 'documentStart') throw problem(token, 'did not find expected <document start>');
    this.#scanner.skip();
  }

  #step(state: State): void {
    switch (state) {
      case 'blockSequence':
        this.#blockSequence();
        break;
      case 'plainSequence':
        this.#plainSequence();
        break;
      case 'blockKey':
        this.#blockKey();
        break;
      case 'blockValue':
        this.#states.push('blockKey');
        this.#valueNode(noBlockNode, true);
        break;
      case 'firstFlowItem':
      case 'flowItem':
        this.#flowItem(state === 'firstFlowItem');
        break;
      case 'pairValue':
        this.#valueNode(noPairPart, false);
        break;
      case 'firstFlowKey':
      case 'flowKey':
        this.#flowKey(state === 'firstFlowKey');
        break;
      case 'flowValue':
        this.#valueNode(noFlowPart, false);
        break;
      case 'emptyValue':
        this.#empty(this.#scanner.peek().line);
        break;
      case 'pairEnd':
        this.#events.push(endEvent);
    }
  }

  #blockSequence(): void {
    const token = this.#scanner.peek();
    if (token.type === 'blockEnd') {
      this.#end();
      return;
    }
    if (token.type !== 'blockEntry') throw problem(token, "did not find expected '-' indicator");
    this.#scanner.skip();
    this.#states.push('blockSequence');
    this.#node({ isEmpty: ['blockEntry', 'blockEnd'], isBlock: true, line: token.line });
  }

  /** The items of a key that are not indented: no token begins or ends them. */
  #plainSequence(): void {
    const token = this.#scanner.peek();
    if (token.type !== 'blockEntry') {
      this.#events.push(endEvent);
      return;
    }
    this.#scanner.skip();
    this.#states.push('plainSequence');
    this.#node({ isEmpty: noEntry, isBlock: true, line: token.line });
  }

  #blockKey(): void {
    const token = this.#scanner.peek();
    if (token.type === 'blockEnd') {
      this.#end();
      return;
    }
    if (token.type !== 'key') throw problem(token, 'did not find expected key');
    this.#scanner.skip();
    this.#states.push('blockValue');
    this.#node({ isEmpty: noBlockNode, isBlock: true, isInMapping: true, line: token.line });
  }

  #flowItem(isFirst: boolean): void {
    const token = this.#flowPart('flowSequenceEnd', isFirst, "',' or ']'");
    if (token.type === 'flowSequenceEnd') {
      this.#end();
      return;
    }
    this.#states.push('flowItem');
    if (token.type === 'key') {
      this.#scanner.skip();
      this.#events.push({ ...endEvent, kind: 'mapping', line: token.line });
      this.#states.push('pairEnd', 'pairValue');
      this.#node({ isEmpty: noPairPart, isBlock: false, line: token.line });
    } else {
      this.#node({ isEmpty: [], isBlock: false, line: token.line });
    }
  }

  #flowKey(isFirst: boolean): void {
    const token = this.#flowPart('flowMappingEnd', isFirst, "',' or '}'");
    if (token.type === 'flowMappingEnd') {
      this.#end();
      return;
    }
    this.#states.push('flowKey');
    if (token.type === 'key') {
      this.#scanner.skip();
      this.#states.push('flowValue');
      this.#node({ isEmpty: noFlowPart, isBlock: false, line: token.line });
    } else {
      this.#states.push('emptyValue');
      this.#node({ isEmpty: [], isBlock: false, line: token.line });
    }
  }

  /** The token behind the comma, if one is needed. */
  #flowPart(closing: TokenType, isFirst: boolean, expected: string): Token {
    const token = this.#scanner.peek();
    if (isFirst || token.type === closing) return token;
    if (token.type !== 'flowEntry') throw problem(token, `did not find expected ${expected}`);
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  #valueNode(isEmpty: readonly TokenType[], isBlock: boolean): void {
    const token = this.#scanner.peek();
    if (token.type !== 'value') {
      this.#empty(token.line);
      return;
    }
    this.#scanner.skip();
    this.#node({ isEmpty, isBlock, isInMapping: isBlock, line: token.line });
  }

  #empty(line: number, tag = '', anchor = ''): void {
    this.#events.push({ kind: 'scalar', line, text: '', tag, anchor, isPlain: tag === '' });
  }

  #end(): void {
    this.#scanner.skip();
    this.#events.push(endEvent);
  }

  #node(place: Place): void {
    const first = this.#scanner.peek();
    if (place.isEmpty.includes(first.type)) {
      this.#empty(place.line);
    } else if (first.type === 'alias') {
      this.#scanner.skip();
      this.#events.push({ ...endEvent, kind: 'alias', line: first.line, text: first.text });
    } else {
      this.#content(place, first);
    }
  }

  #content(place: Place, first: Token): void {
    const { anchor, tag } = this.#properties();
    const token = this.#scanner.peek();
    const { line } = first;
    const container = containerOf(token.type, place);
    if (container !== undefined) {
      if (token.type !== 'blockEntry') this.#scanner.skip();
      this.#events.push({ kind: container.kind, line, text: '', tag, anchor, isPlain: false });
      this.#states.push(container.state);
    } else if (token.type === 'scalar') {
      this.#scanner.skip();
      const isPlain = (token.isPlain && tag === '') || tag === '!';
      this.#events.push({ kind: 'scalar', line, text: token.text, tag: isPlain ? '' : tag, anchor, isPlain });
    } else if (token !== first) {
      this.#empty(line, tag === '!' ? '' : tag, anchor);
    } else {
      throw problem(token, 'did not find expected node content');
    }
  }

  #properties(): { readonly anchor: string; readonly tag: string } {
    let anchor = '';
    let tag = '';
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'anchor' && anchor === '') {
        anchor = token.text;
      } else if (token.type === 'tag' && tag === '') {
        const prefix = this.#tagPrefixes.get(token.text);
        if (prefix === undefined) throw problem(token, 'found undefined tag handle');
        tag = prefix + token.suffix;
      } else {
        return { anchor, tag };
      }
      this.#scanner.skip();
    }
  }
}

function containerOf(
  type: TokenType,
  { isBlock, isInMapping }: Place,
): { readonly kind: 'mapping' | 'sequence'; readonly state: State } | undefined {
  switch (type) {
    case 'flowSequence':
      return { kind: 'sequence', state: 'firstFlowItem' };
    case 'flowMapping':
      return { kind: 'mapping', state: 'firstFlowKey' };
    case 'blockSequence':
      return isBlock ? { kind: 'sequence', state: 'blockSequence' } : undefined;
    case 'blockMapping':
      return isBlock ? { kind: 'mapping', state: 'blockKey' } : undefined;
    case 'blockEntry':
      return isInMapping ? { kind: 'sequence', state: 'plainSequence' } : undefined;
    default:
      return undefined;
  }
}

/** Complaints about what stands where name the line before it, and none on the first. */
function problem(token: Token, text: string): DecodeError {
  return new DecodeError(`yaml: ${token.line === 0 ? '' : `line ${token.line}: `}${text}`);
}
