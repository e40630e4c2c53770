// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";

import {Proxy} from "./Proxy.sol";
import {Wallet} from "./Wallet.sol";

/// @title Proxy wallets: an address per payment whose money can only go to one destination
/// @notice The address of a proxy wallet follows from the factory, the destination and a salt. It can receive before anything is
/// deployed there. Anyone may sweep it. There is no owner, no storage and no upgrade.
contract Factory {
    /// @notice The contract that all proxy wallets delegate to.
    address public immutable WALLET;

    /// @notice The hash of the code that deploys a proxy wallet, as CREATE2 takes it.
    bytes32 public immutable PROXY_INIT_CODE_HASH;

    /// @notice A wallet paid native coins. Tokens log their own transfers.
    event NativeSwept(address indexed wallet, uint256 amount);

    /// @notice A wallet keeps its money: the token, or the destination of native coins, refused.
    event SweepFailed(address indexed wallet, address indexed token);

    error InvalidDestination();

    /// @notice An item failed and used nearly all gas, so it may not have had enough. Nothing was swept.
    error OutOfGas();

    constructor() {
        WALLET = address(new Wallet());
        PROXY_INIT_CODE_HASH = keccak256(Proxy.initCode(WALLET));
    }

    /// @notice Moves the whole balance of each wallet to the destination, and deploys the wallets that need it. Empty wallets are
    /// skipped. An item that fails leaves the others alone.
    /// @param destination The destination of all these wallets.
    /// @param salts One per wallet.
    /// @param token An ERC-20 token, or the zero address for the native coin.
    /// @return swept The number of wallets that paid.
    function sweep(address destination, bytes32[] calldata salts, address token) external returns (uint256 swept) {
        bytes memory initCode = Proxy.initCode(WALLET);
        for (uint256 i = 0; i < salts.length; ++i) {
            bytes32 salt = _walletSalt(destination, salts[i]);
            address wallet = Create2.computeAddress(salt, PROXY_INIT_CODE_HASH);
            (bool isKnown, uint256 amount) = _balanceOf(wallet, token);
            if (isKnown && amount == 0) continue;
            if (isKnown && wallet.code.length == 0) Create2.deploy(0, salt, initCode);
            if (isKnown && _pay(wallet, token, destination, amount)) {
                ++swept;
                if (token == address(0)) emit NativeSwept(wallet, amount);
            } else {
                emit SweepFailed(wallet, token);
            }
        }
    }

    /// @notice The address of a wallet, deployed or not.
    function addressOf(address destination, bytes32 salt) external view returns (address) {
        return Create2.computeAddress(_walletSalt(destination, salt), PROXY_INIT_CODE_HASH);
    }

    /// @dev Part of the address, so a wallet has one destination for ever.
    function _walletSalt(address destination, bytes32 salt) private pure returns (bytes32) {
        if (destination == address(0)) revert InvalidDestination();
        return Hashes.efficientKeccak256(bytes32(uint256(uint160(destination))), salt);
    }

    /// @return Whether the balance could be read, and the balance.
    function _balanceOf(address wallet, address token) private view returns (bool, uint256) {
        if (token == address(0)) return (true, wallet.balance);
        uint256 gasBefore = gasleft();
        (bool success, bytes32 amount,) =
            LowLevelCall.staticcallReturn64Bytes(token, abi.encodeCall(IERC20.balanceOf, (wallet)));
        if (success && LowLevelCall.returnDataSize() >= 32) return (true, uint256(amount));
        _requireGas(gasBefore);
        return (false, 0);
    }

    /// @return Whether the wallet paid.
    function _pay(address wallet, address token, address destination, uint256 amount) private returns (bool) {
        uint256 gasBefore = gasleft();
        // A proxy wallet returns one byte for success.
        if (
            LowLevelCall.callNoReturn(wallet, abi.encodeCall(Wallet.pay, (token, destination, amount)))
                && LowLevelCall.returnDataSize() == 1
        ) return true;
        _requireGas(gasBefore);
        return false;
    }

    /// @dev Without this, an estimate of the gas would find an amount with which items fail and the transaction succeeds. Each
    /// level of calls keeps a 64th of the gas when the next one runs out; an eighth is enough for seven levels.
    function _requireGas(uint256 gasBefore) private view {
        if (gasleft() < gasBefore / 8) revert OutOfGas();
    }
}
