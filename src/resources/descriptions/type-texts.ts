/**
 * The texts of some types by type name: what each field does, and under the empty name what the type is. A text ends
 * with a period and has at most 400 characters.
 */
export type TypeTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;
