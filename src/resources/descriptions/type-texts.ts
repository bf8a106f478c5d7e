/**
 * The texts of some types by type name: the descriptions of the fields, and under the empty name that of the type. A
 * text ends with a period and has at most 400 characters.
 */
export type TypeTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;
