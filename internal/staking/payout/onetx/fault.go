package onetx

import (
	"errors"
	"strconv"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/order"
)

// psbtFault turns the error of reading a PSBT into a fault that says what is wrong with it.
func psbtFault(err error) error {
	deviation := new(vault.OneTxDeviation)
	if !errors.As(err, &deviation) {
		return fault.Refuse(fault.OneTxPSBT).Because(err)
	}
	at := int64(deviation.Index)
	switch deviation.Reason {
	case vault.OneTxTooLarge, vault.OneTxNotPSBT:
		return fault.Refuse(fault.OneTxPSBT).Because(err)
	case vault.OneTxUnsigned:
		return fault.Refuse(fault.OneTxUnsigned, at)
	case vault.OneTxWitness:
		return fault.Refuse(fault.OneTxWitness, at)
	case vault.OneTxSighash:
		return fault.Refuse(fault.OneTxSighash, at)
	case vault.OneTxSignature:
		return fault.Refuse(fault.OneTxSignature, at)
	}
	return fault.Refuse(fault.OneTxChanged, string(deviation.Reason)+" "+strconv.FormatInt(at, 10))
}

// buildFault turns the error of an order, or of building a transaction, into a fault.
func buildFault(err error) error {
	short, ended := new(vault.ErrSatsShort), new(order.OneTxError)
	switch {
	case errors.As(err, &short):
		return fault.Refuse(fault.OneTxNoCoins, int64(short.Missing))
	case errors.Is(err, ErrUnitsNotReady):
		return fault.Refuse(fault.OneTxUnitsWait)
	case errors.As(err, &ended):
		return EndFault(*ended)
	}
	return err
}

// EndFault returns the fault with the reason for which own coins do not pay an order.
func EndFault(e order.OneTxError) *fault.Error {
	switch e.Reason {
	case order.OneTxUnits:
		return fault.Refuse(fault.OneTxUnits)
	case order.OneTxStatus:
		return fault.Refuse(fault.OneTxOrder, e.Value)
	case order.OneTxLate:
		return fault.Refuse(fault.OneTxLate)
	case order.OneTxAmount:
		return fault.Refuse(fault.OneTxAmount)
	case order.OneTxFee:
		return fault.Refuse(fault.OneTxFee, e.Value)
	case order.OneTxMempool:
		return fault.Refuse(fault.OneTxMempool, e.Value)
	case order.OneTxCoin:
		return fault.Refuse(fault.OneTxCoinSpent, e.Value)
	case order.OneTxPaymentGone:
		return fault.Refuse(fault.OneTxPaymentGone)
	case order.OneTxPaymentAdded:
		return fault.Refuse(fault.OneTxPaymentAdded)
	}
	return fault.Refuse(fault.OneTxRefused)
}
