import { useEffect, useRef } from 'preact/hooks';
import type { TypeSchema } from '../api/schema-loader.ts';
import { createEditor } from './create-editor.ts';

export interface YamlEditorProps {
  readonly label: string;
  readonly value: string;
  /**
   * When this number changes, the value replaces the text of the editor. Comparing the value is not enough, because it
   * lags behind a fast typist.
   */
  readonly revision: number;
  readonly schema: TypeSchema | undefined;
  readonly onChange: (text: string) => void;
  /** Ctrl-S or Cmd-S. */
  readonly onSubmit?: () => void;
}

/**
 * Rendered in a shadow root: the editor's styles are then separate style sheets, which the content security policy of
 * the page allows.
 */
export default function YamlEditor(props: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<ReturnType<typeof createEditor> | undefined>(undefined);
  const current = useRef(props);
  current.current = props;
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    editor.current = createEditor(root, {
      label: props.label,
      value: props.value,
      schema: () => current.current.schema,
      onChange: (text) => current.current.onChange(text),
      onSubmit: () => current.current.onSubmit?.(),
    });
    return () => editor.current?.destroy();
  }, []);
  useEffect(() => editor.current?.replace(props.value), [props.revision]);
  useEffect(() => editor.current?.check(), [props.schema]);
  return <div class="editor" ref={host} />;
}
