import { autocompletion, type CompletionContext, type CompletionResult, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { TypeSchema } from '../api/schema-loader.ts';
import { complete } from '../document/complete.ts';
import { parseYaml, YamlError } from '../document/parse-yaml.ts';
import { isObject, pathKey } from '../document/path.ts';
import { typeName } from '../document/schema.ts';
import { validate } from '../document/validate.ts';
import { yamlContext } from '../document/yaml-context.ts';
import { yamlRanges } from '../document/yaml-ranges.ts';

export interface EditorOptions {
  readonly label: string;
  readonly value: string;
  readonly schema: () => TypeSchema | undefined;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in oklch, var(--hover) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '1em' },
  '.cm-completionInfo': { maxWidth: '340px', padding: '8px 10px', fontFamily: 'var(--sans)', whiteSpace: 'pre-wrap' },
  '.cm-field-info': { maxWidth: '420px', padding: '8px 10px', fontFamily: 'var(--sans)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-textfield, .cm-button': {
    fontFamily: 'var(--sans)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--busy)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--muted)' },
]);

export function createEditor(root: ShadowRoot, options: EditorOptions) {
  let isReplacing = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        lineNumbers(),
        codeFolding(),
        foldGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        closeBrackets(),
        search({ top: true }),
        indentUnit.of('  '),
        yaml(),
        syntaxHighlighting(colours),
        theme,
        autocompletion({ override: [(context) => suggestions(context, options)], icons: false }),
        linter((editor) => diagnostics(editor, options.schema()), { delay: 300 }),
        lintGutter(),
        hoverTooltip((editor, position) => fieldInfo(editor, position, options.schema())),
        EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isReplacing) options.onChange(update.state.doc.toString());
        }),
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run: () => {
              options.onSubmit();
              return true;
            },
          },
          // Escape, then Tab leaves the editor, so that keyboard users are not trapped.
          indentWithTab,
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          ...foldKeymap,
          ...lintKeymap,
        ]),
      ],
    }),
  });
  return {
    replace(text: string) {
      if (text === view.state.doc.toString()) return;
      isReplacing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isReplacing = false;
    },
    check: () => forceLinting(view),
    destroy: () => view.destroy(),
  };
}

function suggestions(context: CompletionContext, options: EditorOptions): CompletionResult | null {
  const type = options.schema();
  const line = context.state.doc.lineAt(context.pos);
  const lines = context.state.doc.toString().split('\n');
  const at = yamlContext(lines, { line: line.number - 1, column: context.pos - line.from });
  if (!type || (!context.explicit && at.word === '' && at.key === undefined)) return null;
  let value: unknown;
  try {
    value = parseYaml(context.state.doc.toString());
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
  }
  const column = context.pos - line.from - at.word.length;
  const found = complete(at, { ...type, value, indent: ' '.repeat(Math.max(0, column)) });
  return {
    from: context.pos - at.word.length,
    options: found.map(({ label, detail, description, insert, isRequired }) => ({
      label,
      detail: isRequired ? `${detail}, required` : detail,
      ...(description && { info: description }),
      apply: insert,
      boost: isRequired ? 1 : 0,
    })),
    validFor: /^[\w.-]*$/,
  };
}

function diagnostics(view: EditorView, type: TypeSchema | undefined): Diagnostic[] {
  const text = view.state.doc.toString();
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const from = Math.min(error.position, text.length);
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message: error.message }];
  }
  if (!type || !isObject(value)) return [];
  const ranges = yamlRanges(syntaxTree(view.state), text);
  return validate(value, type.schema, type.schemas).map(({ path, message, severity }) => {
    const range = ranges.get(pathKey(path)) ?? { from: 0, to: Math.min(1, text.length) };
    return { ...range, severity, message };
  });
}

function fieldInfo(view: EditorView, position: number, type: TypeSchema | undefined) {
  if (!type) return null;
  const line = view.state.doc.lineAt(position);
  const lines = view.state.doc.toString().split('\n');
  const end = line.text.indexOf(':');
  if (end < 0 || position > line.from + end) return null;
  const { path, word } = yamlContext(lines, { line: line.number - 1, column: end });
  const around = type.schemas.at(type.schema, path);
  const given = around?.properties?.[word];
  const own = around && type.schemas.child(around, word);
  const description = given?.description ?? own?.description;
  if (!own || !description) return null;
  return {
    pos: position,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-field-info';
      dom.textContent = `${word}: ${typeName(type.schemas, own)}\n\n${description}`;
      return { dom };
    },
  };
}
