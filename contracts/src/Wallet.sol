// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title The code of all proxy wallets
/// @notice Proxy wallets delegate to this contract. It has no storage, and only the factory can make a wallet pay.
contract Wallet {
    address private immutable FACTORY = msg.sender;

    error NotFactory();

    /// @notice Pays from the calling proxy wallet. Reverts if the token or the destination refuses.
    /// @param token An ERC-20 token, or the zero address for the native coin.
    /// @param destination The factory derives the wallet's address from it, so it is the only possible one.
    /// @param amount Smallest units.
    function pay(address token, address destination, uint256 amount) external {
        if (msg.sender != FACTORY) revert NotFactory();
        if (token == address(0)) {
            Address.sendValue(payable(destination), amount);
        } else {
            SafeERC20.safeTransfer(IERC20(token), destination, amount);
        }
    }
}
