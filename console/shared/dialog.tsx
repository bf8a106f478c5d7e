import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A dialog that is open as long as it is rendered. */
export function Dialog(props: { title: string; onClose: () => void; isWide?: boolean; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => (opener as HTMLElement | null)?.focus?.();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${props.isWide ? 'dialog-wide' : ''}`}
      aria-label={props.title}
      onClose={props.onClose}
    >
      <header class="dialog-header">
        <h2>{props.title}</h2>
        <button type="button" class="button-icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{props.children}</div>
    </dialog>
  );
}
