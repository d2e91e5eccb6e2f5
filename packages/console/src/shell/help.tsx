import { useTexts } from '../texts/texts.tsx';
import { Modal } from '../ui/forms/dialog.tsx';
import { CheckField } from '../ui/forms/field.tsx';
import { useAllShortcuts } from '../ui/forms/shortcuts.tsx';
import { setSingleKeys, useSingleKeys } from '../ui/forms/single-keys.ts';

export function Help({ close }: { close(): void }) {
  const { common, search } = useTexts();
  const hasSingleKeys = useSingleKeys();
  const all = useAllShortcuts();
  const shortcuts = [
    ...(hasSingleKeys ? all : []),
    { keys: 'Ctrl+K', label: search.label },
    { keys: 'Enter', label: common.openRow },
    ...(hasSingleKeys ? [{ keys: 'x', label: common.chooseRow }] : []),
    { keys: 'Esc', label: common.close },
  ];
  return (
    <Modal title={common.help} close={close}>
      <div className="mb-4">
        <CheckField
          label={common.singleKeys}
          about={common.singleKeysAbout}
          checked={hasSingleKeys}
          onChange={setSingleKeys}
        />
      </div>
      <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-6 gap-y-2">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys + label} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt>
              <kbd className="rounded border border-strong-line bg-raised px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
