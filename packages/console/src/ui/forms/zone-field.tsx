import { browserZone } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { SelectField } from './field.tsx';

/** The time zone of the days of an address: its own, the browser's, or UTC. */
export function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const { common } = useTexts();
  const zones = [...new Set([zone, browserZone(), 'UTC'])];
  return (
    <SelectField
      label={common.zone}
      value={zone}
      options={zones.map((value) => ({ value, label: value }))}
      onChange={onChange}
      className="max-w-48"
    />
  );
}
