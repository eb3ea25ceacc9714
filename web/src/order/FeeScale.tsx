import { useFeeRates } from "../api/feeRates.ts";
import { formatNumber } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { Disclosure } from "../ui/Disclosure.tsx";

/** The network's current fee rates for three waiting times, and how this order's rate compares. */
export function FeeScale({ own }: { own: number }) {
  const data = useFeeRates().data?.rates;
  // The price is complete without the scale.
  if (!data || data.length === 0 || !data.every(({ rate }) => rate > 0)) return null;
  const names = [later.fees.nextBlock, later.fees.hour, later.fees.day];
  const most = Math.max(own, ...data.map(({ rate }) => rate));
  const rows = [
    ...data.map(({ blocks, rate }, i) => ({ name: names[i] ?? later.fees.blocks(blocks), rate, mine: false })),
    { name: later.fees.own, rate: own, mine: true },
  ];
  return (
    <Disclosure title={later.fees.scale} className="text-sm">
      <table className="w-full">
        <caption className="sr-only">{later.fees.scale}</caption>
        <tbody>
          {rows.map(({ name, rate, mine }) => (
            <tr key={name} className={mine ? "font-semibold text-amber" : "text-fur"}>
              <th scope="row" className={`py-1 pr-3 text-left whitespace-nowrap ${mine ? "" : "font-normal"}`}>
                {name}
              </th>
              <td aria-hidden="true" className="w-full">
                <span
                  className={`paint block h-2 min-w-1 rounded-full ${mine ? "bg-amber" : "bg-ice"}`}
                  style={{ width: `${(rate / most) * 100}%` }}
                />
              </td>
              <td className="py-1 pl-3 text-right whitespace-nowrap">{later.fees.rateValue(formatNumber(rate, 3))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  );
}
