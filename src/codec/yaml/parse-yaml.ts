import type { DecodeError } from '../../meta/decode-error.ts';
import type { Steps } from '../../meta/turns.ts';
import { type NodeContext, nodeContexts } from './node-contexts.ts';
import { NodeProperties } from './node-properties.ts';
import { parseProblem } from './parse-problem.ts';
import { events, YamlEvents } from './yaml-events.ts';
import { YamlScanner } from './yaml-scanner.ts';
import { tokens } from './yaml-token.ts';

const stepsBetweenYields = 256;

/** The part that the parser expects next. */
const states = {
  blockKey: 0,
  blockSequence: 1,
  blockValue: 2,
  emptyValue: 3,
  firstFlowItem: 4,
  firstFlowKey: 5,
  flowItem: 6,
  flowKey: 7,
  flowValue: 8,
  pairEnd: 9,
  pairValue: 10,
  indentlessSequence: 11,
} as const;

/**
 * Parses a text with at most one document. A second document is an error. The text must end with a NUL character and
 * contain no other one.
 */
export function parseYaml(text: string): Steps<YamlEvents> {
  return new YamlParser(text).parse();
}

/** Uses an explicit stack instead of recursion, so that a deeply nested text cannot overflow the call stack. */
class YamlParser {
  readonly #scanner: YamlScanner;
  readonly #events: YamlEvents;
  readonly #properties: NodeProperties;
  /** A stack: the next state is the last element. */
  readonly #states: number[] = [];

  constructor(text: string) {
    this.#scanner = new YamlScanner(text);
    this.#events = new YamlEvents(this.#scanner.texts, text.length);
    this.#properties = new NodeProperties(this.#scanner, this.#events);
  }

  *parse(): Steps<YamlEvents> {
    const first = this.#scanner.peek();
    if (first === tokens.streamEnd) return this.#events;
    const { line } = this.#scanner;
    if (first === tokens.directive || first === tokens.documentStart) this.#properties.openDocument();
    this.#node(nodeContexts.document, line);
    let steps = 0;
    for (let state = this.#states.pop(); state !== undefined; state = this.#states.pop()) {
      this.#step(state);
      if (++steps % stepsBetweenYields === 0) yield;
    }
    this.#endStream();
    return this.#events;
  }

  /** Only markers may follow the document. Other content is an error, because it would be ignored silently. */
  #endStream(): void {
    const scanner = this.#scanner;
    let kind = scanner.peek();
    while (kind === tokens.documentEnd || kind === tokens.documentStart) {
      scanner.skip();
      kind = scanner.peek();
    }
    if (kind !== tokens.streamEnd) throw this.#problem('found content after the first document');
  }

  #step(state: number): void {
    switch (state) {
      case states.blockKey:
        this.#blockKey();
        break;
      case states.blockValue:
        this.#states.push(states.blockKey);
        this.#valueNode(nodeContexts.blockMappingMember);
        break;
      case states.blockSequence:
        this.#blockSequence();
        break;
      case states.indentlessSequence:
        this.#indentlessSequence();
        break;
      case states.firstFlowItem:
        this.#flowItem(this.#scanner.peek());
        break;
      case states.flowItem:
        this.#flowItem(this.#skipComma(tokens.flowSequenceEnd, "',' or ']'"));
        break;
      case states.pairValue:
        this.#valueNode(nodeContexts.flowPairMember);
        break;
      case states.firstFlowKey:
        this.#flowKey(this.#scanner.peek());
        break;
      case states.flowKey:
        this.#flowKey(this.#skipComma(tokens.flowMappingEnd, "',' or '}'"));
        break;
      case states.flowValue:
        this.#valueNode(nodeContexts.flowMappingMember);
        break;
      case states.emptyValue:
        this.#scanner.peek();
        this.#empty(this.#scanner.line);
        break;
      case states.pairEnd:
        this.#events.add(events.end, 0);
    }
  }

  #blockSequence(): void {
    const kind = this.#scanner.peek();
    if (kind === tokens.blockEnd) {
      this.#end();
      return;
    }
    if (kind !== tokens.blockEntry) throw this.#problem("did not find expected '-' indicator");
    this.#states.push(states.blockSequence);
    this.#inside(nodeContexts.blockSequenceItem);
  }

  /** Items that are not indented below their key. No tokens mark the begin and end of such a list. */
  #indentlessSequence(): void {
    if (this.#scanner.peek() !== tokens.blockEntry) {
      this.#events.add(events.end, 0);
      return;
    }
    this.#states.push(states.indentlessSequence);
    this.#inside(nodeContexts.indentlessSequenceItem);
  }

  #blockKey(): void {
    const kind = this.#scanner.peek();
    if (kind === tokens.blockEnd) {
      this.#end();
      return;
    }
    if (kind !== tokens.key) throw this.#problem('did not find expected key');
    this.#states.push(states.blockValue);
    this.#inside(nodeContexts.blockMappingMember);
  }

  #flowItem(kind: number): void {
    if (kind === tokens.flowSequenceEnd) {
      this.#end();
      return;
    }
    this.#states.push(states.flowItem);
    if (kind === tokens.key) {
      this.#events.add(events.mapping, this.#scanner.line);
      this.#states.push(states.pairEnd, states.pairValue);
      this.#inside(nodeContexts.flowPairMember);
    } else {
      this.#node(nodeContexts.flowSequenceItem, this.#scanner.line);
    }
  }

  #flowKey(kind: number): void {
    if (kind === tokens.flowMappingEnd) {
      this.#end();
      return;
    }
    this.#states.push(states.flowKey);
    if (kind === tokens.key) {
      this.#states.push(states.flowValue);
      this.#inside(nodeContexts.flowMappingMember);
    } else {
      this.#states.push(states.emptyValue);
      this.#node(nodeContexts.flowSequenceItem, this.#scanner.line);
    }
  }

  /** Skips the comma after an item or member, unless the container is closed. Returns the kind of the next token. */
  #skipComma(closing: number, expected: string): number {
    const kind = this.#scanner.peek();
    if (kind === closing) return kind;
    if (kind !== tokens.flowEntry) throw this.#problem(`did not find expected ${expected}`);
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  #valueNode(context: NodeContext): void {
    if (this.#scanner.peek() === tokens.value) this.#inside(context);
    else this.#empty(this.#scanner.line);
  }

  /** Skips the current token and parses the node after it. */
  #inside(context: NodeContext): void {
    const { line } = this.#scanner;
    this.#scanner.skip();
    this.#node(context, line);
  }

  /** `line` is the line of the event if the node is empty. */
  #node({ empty, containers }: NodeContext, line: number): void {
    const kind = this.#scanner.peek();
    if ((kind & empty) !== 0) {
      this.#empty(line);
    } else if ((kind & (tokens.anchor | tokens.tag)) !== 0) {
      const first = this.#scanner.line;
      this.#properties.read();
      this.#content(this.#scanner.peek(), containers, first);
    } else if (kind === tokens.alias) {
      this.#properties.addAlias();
    } else {
      this.#content(kind, containers, this.#scanner.line);
    }
  }

  #content(kind: number, containers: number, line: number): void {
    if ((kind & (tokens.plain | tokens.scalar)) !== 0) {
      this.#events.add(this.#properties.scalarKind({ isPlain: kind === tokens.plain }), line);
      this.#events.setText(this.#scanner.from, this.#scanner.to);
      this.#scanner.skip();
    } else if ((kind & containers) !== 0) {
      const isSequence = (kind & (tokens.blockEntry | tokens.blockSequence | tokens.flowSequence)) !== 0;
      this.#events.add(isSequence ? events.sequence : events.mapping, line);
      this.#states.push(stateInside(kind));
      if (kind !== tokens.blockEntry) this.#scanner.skip();
    } else if (this.#properties.isPresent) {
      this.#events.add(this.#properties.scalarKind({ isPlain: true }), line);
      this.#events.setText(0, 0);
    } else {
      throw this.#problem('did not find expected node content');
    }
    if (this.#properties.isPresent) this.#properties.apply();
  }

  #empty(line: number): void {
    this.#events.add(events.plain, line);
    this.#events.setText(0, 0);
  }

  #end(): void {
    this.#scanner.skip();
    this.#events.add(events.end, 0);
  }

  #problem(text: string): DecodeError {
    return parseProblem(this.#scanner.line, text);
  }
}

/** Returns the state that reads the parts of a list or map that begins with this token. */
function stateInside(kind: number): number {
  switch (kind) {
    case tokens.blockMapping:
      return states.blockKey;
    case tokens.blockSequence:
      return states.blockSequence;
    case tokens.blockEntry:
      return states.indentlessSequence;
    case tokens.flowMapping:
      return states.firstFlowKey;
    default:
      return states.firstFlowItem;
  }
}
