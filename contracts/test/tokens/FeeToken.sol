// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @notice Keeps a hundredth of each transfer.
contract FeeToken is TestToken {
    function symbol() external pure returns (string memory) {
        return "USDC";
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 fee = amount / 100;
        _move(msg.sender, to, amount - fee);
        _move(msg.sender, address(this), fee);
        return true;
    }
}
