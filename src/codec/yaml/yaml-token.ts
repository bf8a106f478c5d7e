export type TokenType =
  | 'alias'
  | 'anchor'
  | 'blockEnd'
  | 'blockEntry'
  | 'blockMapping'
  | 'blockSequence'
  | 'directive'
  | 'documentEnd'
  | 'documentStart'
  | 'flowEntry'
  | 'flowMapping'
  | 'flowMappingEnd'
  | 'flowSequence'
  | 'flowSequenceEnd'
  | 'key'
  | 'scalar'
  | 'streamEnd'
  | 'tag'
  | 'value';

export interface Token {
  readonly type: TokenType;
  /** Where it begins, from zero. */
  readonly line: number;
  /** Of a scalar its value, of an anchor or an alias its name, of a tag or a directive what it begins with. */
  readonly text: string;
  /** Of a tag its second part, of a directive the prefix. */
  readonly suffix: string;
  /** A scalar without quotes. */
  readonly isPlain: boolean;
}
